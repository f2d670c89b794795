using System.Diagnostics;
using System.Text.Json;
using Amazon.Runtime;
using Amazon.SimpleSystemsManagement;
using Amazon.SimpleSystemsManagement.Model;
using Amazon.SQS;
using Amazon.SQS.Model;

namespace Backlog;

/// <summary>The offset of each id that was sent, and the ids that were not, in order.</summary>
public sealed record PublishResult(IReadOnlyDictionary<string, string> Offsets, IReadOnlyList<string> Unsent);

/// <summary>Keeps the order of each partition, and says what was not sent.</summary>
public sealed class BacklogPublisher
{
    private const int BatchEntries = 10;
    private const int BatchBytes = 1_048_576;
    private const int Tries = 5;

    // SQS forgets a de-duplication id after five minutes; the last one is left for the request.
    private static readonly TimeSpan RepeatWithin = TimeSpan.FromMinutes(4);
    private static readonly TimeSpan RequestTimeout = TimeSpan.FromSeconds(30);

    private readonly IAmazonSQS _sqs;
    private readonly string _queueUrl;
    private readonly int _partitions;

    private BacklogPublisher(IAmazonSQS sqs, string queueUrl, int partitions) =>
        (_sqs, _queueUrl, _partitions) = (sqs, queueUrl, partitions);

    /// <summary>Reads where the backlog is from its SSM parameter.</summary>
    public static async Task<BacklogPublisher> OpenAsync(
        IAmazonSQS sqs, IAmazonSimpleSystemsManagement ssm, string name)
    {
        var answer = await ssm.GetParameterAsync(new GetParameterRequest { Name = $"/backlogorder/{name}" });
        using var place = JsonDocument.Parse(answer.Parameter.Value);
        var root = place.RootElement;
        if (root.GetProperty("wire").GetInt32() != 1 || root.GetProperty("hash").GetString() != "fnv1a-32")
        {
            throw new NotSupportedException(
                $"Expected wire 1 and hash fnv1a-32, got {answer.Parameter.Value}; update this publisher");
        }
        return new BacklogPublisher(
            sqs, root.GetProperty("queueUrl").GetString()!, root.GetProperty("partitions").GetInt32());
    }

    /// <summary>A record that breaks a rule is an exception before anything is sent.</summary>
    public async Task<PublishResult> PublishAsync(
        IEnumerable<GameRecord> records, CancellationToken cancellation = default)
    {
        var queues = new Dictionary<string, Queue<(string Id, WireMessage Message)>>();
        var turns = new Queue<string>();
        foreach (var record in records)
        {
            var message = BacklogWire.MessageOf(record, _partitions);
            if (!queues.TryGetValue(message.GroupId, out var queue))
            {
                queues[message.GroupId] = queue = new();
                turns.Enqueue(message.GroupId);
            }
            queue.Enqueue((record.Id, message));
        }
        var offsets = new Dictionary<string, string>();
        var unsent = new List<string>();
        var failures = new Dictionary<string, int>();
        var firstTried = new Dictionary<string, Stopwatch>();
        while (turns.Count > 0)
        {
            var heads = Heads(turns, queues);
            foreach (var partition in heads) firstTried.TryAdd(partition, Stopwatch.StartNew());
            // What is late was perhaps sent, and SQS would take a repeat for a new message.
            var late = heads.Where(partition => firstTried[partition].Elapsed > RepeatWithin).ToHashSet();
            var inTime = heads.Where(partition => !late.Contains(partition)).ToList();
            var outcomes = await SendAsync(inTime, queues, cancellation);
            var worst = 0;
            foreach (var partition in heads)
            {
                var queue = queues[partition];
                var (offset, refused) = outcomes.GetValueOrDefault(partition);
                if (offset is not null)
                {
                    offsets[queue.Dequeue().Id] = offset;
                    failures[partition] = 0;
                    firstTried.Remove(partition);
                }
                else if (refused || late.Contains(partition) || (failures[partition] = failures.GetValueOrDefault(partition) + 1) >= Tries)
                {
                    // What lies behind a record that could not be sent must not overtake it.
                    unsent.AddRange(queue.Select(waiting => waiting.Id));
                    queue.Clear();
                }
                worst = Math.Max(worst, queue.Count > 0 ? failures.GetValueOrDefault(partition) : 0);
                if (queue.Count > 0) turns.Enqueue(partition);
            }
            if (worst > 0) await Task.Delay(TimeSpan.FromMilliseconds(100 << worst), cancellation);
        }
        return new PublishResult(offsets, unsent);
    }

    private async Task<Dictionary<string, (string? Offset, bool Refused)>> SendAsync(
        IReadOnlyList<string> heads,
        IReadOnlyDictionary<string, Queue<(string Id, WireMessage Message)>> queues,
        CancellationToken cancellation)
    {
        var outcomes = new Dictionary<string, (string? Offset, bool Refused)>();
        if (heads.Count == 0) return outcomes;
        using var timeout = CancellationTokenSource.CreateLinkedTokenSource(cancellation);
        timeout.CancelAfter(RequestTimeout);
        try
        {
            var answer = await _sqs.SendMessageBatchAsync(
                new SendMessageBatchRequest
                {
                    QueueUrl = _queueUrl,
                    Entries = heads.Select(partition => Entry(partition, queues[partition].Peek().Message)).ToList(),
                },
                timeout.Token);
            foreach (var entry in answer.Successful ?? []) outcomes[entry.Id] = (entry.SequenceNumber, false);
            foreach (var entry in answer.Failed ?? []) outcomes[entry.Id] = (null, entry.SenderFault ?? false);
        }
        catch (AmazonClientException)
        {
            // Perhaps sent: the same de-duplication ids make the repeat harmless.
        }
        catch (AmazonServiceException)
        {
            // As above.
        }
        catch (OperationCanceledException) when (!cancellation.IsCancellationRequested)
        {
            // As above: no answer came in time.
        }
        return outcomes;
    }

    private static List<string> Heads(
        Queue<string> turns, IReadOnlyDictionary<string, Queue<(string Id, WireMessage Message)>> queues)
    {
        var heads = new List<string>();
        var room = BatchBytes;
        while (turns.Count > 0 && heads.Count < BatchEntries)
        {
            room -= BacklogWire.Bytes(queues[turns.Peek()].Peek().Message);
            if (room < 0) break;
            heads.Add(turns.Dequeue());
        }
        return heads;
    }

    private static SendMessageBatchRequestEntry Entry(string partition, WireMessage message) => new()
    {
        Id = partition,
        MessageGroupId = message.GroupId,
        MessageDeduplicationId = message.DeduplicationId,
        MessageBody = message.Body,
        MessageAttributes = message.Attributes.ToDictionary(
            entry => entry.Key,
            entry => new MessageAttributeValue
            {
                DataType = entry.Value.DataType,
                StringValue = entry.Value.Text,
                BinaryValue = entry.Value.Binary is null ? null : new MemoryStream(entry.Value.Binary),
            }),
    };
}
