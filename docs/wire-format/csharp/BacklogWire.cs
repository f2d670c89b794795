using System.Security.Cryptography;
using System.Text;

namespace Backlog;

/// <summary>What a game publishes. Id is the record's identity for ever, unique over all keys.</summary>
public sealed record GameRecord(string Id, string Key, byte[] Payload, long EnqueuedAtMs);

/// <summary>One attribute of a message: Binary where DataType is "Binary", else Text.</summary>
public sealed record WireAttribute(string DataType, string? Text, byte[]? Binary = null);

/// <summary>One entry of a SendMessageBatch.</summary>
public sealed record WireMessage(
    string GroupId, string DeduplicationId, string Body, IReadOnlyDictionary<string, WireAttribute> Attributes);

/// <summary>The wire format of backlogorder, version 1.</summary>
public static class BacklogWire
{
    /// <summary>SQS allows 1,048,576; 4,096 stay free for what a dead letter adds.</summary>
    public const int MessageBytesMax = 1_044_480;

    // Lone surrogates throw rather than become U+FFFD, which would be another key.
    private static readonly UTF8Encoding Utf8 = new(false, throwOnInvalidBytes: true);

    /// <summary>32-bit FNV-1a over the key's UTF-8 bytes.</summary>
    public static uint KeyHash(string key)
    {
        var hash = 2166136261u;
        foreach (var value in Utf8.GetBytes(key))
        {
            hash = unchecked((hash ^ value) * 16777619u);
        }
        return hash;
    }

    /// <summary>The partition of a key, 0 to partitions - 1; 0 where there are none.</summary>
    public static int PartitionOf(string key, int partitions) =>
        partitions <= 0 ? 0 : (int)(KeyHash(key) % (uint)partitions);

    /// <summary>The message of a record; ArgumentException says which rule the record breaks.</summary>
    public static WireMessage MessageOf(GameRecord record, int partitions)
    {
        Refuse(record.Key.Length == 0, record, "a key of at least one character");
        Refuse(record.Id.Length is < 1 or > 256 || !IsSqsText(record.Id), record,
            "an id of 1 to 256 characters that SQS takes");
        var (body, encoding) = Encode(record.Payload);
        var attributes = new Dictionary<string, WireAttribute>
        {
            ["id"] = new("String", record.Id),
            ["key"] = IsSqsText(record.Key)
                ? new("String", record.Key)
                : new("Binary", null, Utf8.GetBytes(record.Key)),
            ["enqueuedAt"] = new("Number",
                record.EnqueuedAtMs.ToString(System.Globalization.CultureInfo.InvariantCulture)),
        };
        if (encoding is not null) attributes["encoding"] = new("String", encoding);
        var message = new WireMessage(
            PartitionOf(record.Key, partitions).ToString(System.Globalization.CultureInfo.InvariantCulture),
            DeduplicationId(record.Id), body, attributes);
        Refuse(Bytes(message) > MessageBytesMax, record, $"at most {MessageBytesMax} bytes");
        return message;
    }

    /// <summary>Counts a message as SQS does: its body and each attribute's name, type and value.</summary>
    public static int Bytes(WireMessage message) =>
        Utf8.GetByteCount(message.Body) + message.Attributes.Sum(entry =>
            Utf8.GetByteCount(entry.Key) + Utf8.GetByteCount(entry.Value.DataType) +
            (entry.Value.Binary?.Length ?? Utf8.GetByteCount(entry.Value.Text ?? "")));

    private static string DeduplicationId(string id) =>
        id.Length <= 128 && id.All(character => character is >= '!' and <= '~')
            ? id
            : Convert.ToHexString(SHA256.HashData(Utf8.GetBytes(id))).ToLowerInvariant();

    private static (string Body, string? Encoding) Encode(byte[] payload)
    {
        if (payload.Length == 0) return ("-", "empty");
        try
        {
            var text = Utf8.GetString(payload);
            if (IsSqsText(text)) return (text, null);
        }
        catch (DecoderFallbackException)
        {
            // Not text: sent as base64 below.
        }
        return (Convert.ToBase64String(payload), "base64");
    }

    private static bool IsSqsText(string text) => text.EnumerateRunes().All(rune =>
        rune.Value is '\t' or '\n' or '\r' || (rune.Value >= 0x20 && rune.Value is not (0xFFFE or 0xFFFF)));

    private static void Refuse(bool broken, GameRecord record, string expected)
    {
        if (broken) throw new ArgumentException($"Expected {expected}; record \"{record.Id}\" was not sent");
    }
}
