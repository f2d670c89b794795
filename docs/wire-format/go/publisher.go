package backlog

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
	"github.com/aws/aws-sdk-go-v2/service/ssm"
)

const (
	batchEntries = 10
	batchBytes   = 1_048_576
	tries        = 5
	// SQS forgets a de-duplication id after five minutes; the last one is left for the request.
	repeatWithin   = 4 * time.Minute
	requestTimeout = 30 * time.Second
)

// A Publisher keeps the order of each partition and says what was not sent.
type Publisher struct {
	client     *sqs.Client
	queueURL   string
	partitions int
}

// NewPublisher reads where the backlog is from its SSM parameter.
func NewPublisher(ctx context.Context, config aws.Config, name string) (*Publisher, error) {
	answer, err := ssm.NewFromConfig(config).GetParameter(ctx, &ssm.GetParameterInput{
		Name: aws.String("/backlogorder/" + name),
	})
	if err != nil {
		return nil, err
	}
	var place struct {
		Wire       int
		QueueURL   string
		Partitions int
		Hash       string
	}
	if err := json.Unmarshal([]byte(*answer.Parameter.Value), &place); err != nil {
		return nil, err
	}
	if place.Wire != 1 || place.Hash != "fnv1a-32" {
		return nil, fmt.Errorf("expected wire 1 and hash fnv1a-32, got %s; update this publisher", *answer.Parameter.Value)
	}
	return &Publisher{client: sqs.NewFromConfig(config), queueURL: place.QueueURL, partitions: place.Partitions}, nil
}

type waiting struct {
	id         string
	message    Message
	failures   int
	firstTried time.Time
}

// Publish gives the offset of each id that was sent, and the ids that were not. A record that breaks a
// rule is an error before anything is sent.
func (p *Publisher) Publish(ctx context.Context, records []Record) (offsets map[string]string, unsent []string, err error) {
	queues := map[string][]*waiting{}
	var turns []string
	for _, record := range records {
		message, err := MessageOf(record, p.partitions)
		if err != nil {
			return nil, nil, err
		}
		if queues[message.GroupID] == nil {
			turns = append(turns, message.GroupID)
		}
		queues[message.GroupID] = append(queues[message.GroupID], &waiting{id: record.ID, message: message})
	}
	offsets = map[string]string{}
	for len(turns) > 0 {
		heads := headsOf(turns, queues)
		answers := p.send(ctx, inTime(heads, queues), queues)
		var next []string
		worst := 0
		for _, partition := range heads {
			head, answer := queues[partition][0], answers[partition]
			if answer.offset != "" {
				offsets[head.id] = answer.offset
				queues[partition] = queues[partition][1:]
			} else if head.failures++; answer.refused || head.isLate() || head.failures >= tries || ctx.Err() != nil {
				// What lies behind a record that could not be sent must not overtake it.
				for _, behind := range queues[partition] {
					unsent = append(unsent, behind.id)
				}
				queues[partition] = nil
			} else {
				worst = max(worst, head.failures)
			}
			if len(queues[partition]) > 0 {
				next = append(next, partition)
			}
		}
		turns = append(turns[len(heads):], next...)
		if worst > 0 {
			select {
			case <-time.After(100 * time.Millisecond << worst):
			case <-ctx.Done():
			}
		}
	}
	return offsets, unsent, nil
}

// inTime marks the heads that may be sent as tried. The others were perhaps sent, and SQS would take a
// repeat for a new message.
func inTime(heads []string, queues map[string][]*waiting) []string {
	var sent []string
	for _, partition := range heads {
		head := queues[partition][0]
		if head.firstTried.IsZero() {
			head.firstTried = time.Now()
		}
		if !head.isLate() {
			sent = append(sent, partition)
		}
	}
	return sent
}

func (w *waiting) isLate() bool {
	return time.Since(w.firstTried) > repeatWithin
}

type outcome struct {
	offset  string
	refused bool
}

// A partition without an outcome was perhaps sent: the same de-duplication id makes the repeat harmless.
func (p *Publisher) send(ctx context.Context, heads []string, queues map[string][]*waiting) map[string]outcome {
	if len(heads) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	entries := make([]types.SendMessageBatchRequestEntry, 0, len(heads))
	for _, partition := range heads {
		message := queues[partition][0].message
		entries = append(entries, types.SendMessageBatchRequestEntry{
			Id:                     aws.String(partition),
			MessageGroupId:         aws.String(message.GroupID),
			MessageDeduplicationId: aws.String(message.DeduplicationID),
			MessageBody:            aws.String(message.Body),
			MessageAttributes:      attributesOf(message),
		})
	}
	outcomes := map[string]outcome{}
	answer, err := p.client.SendMessageBatch(ctx, &sqs.SendMessageBatchInput{
		QueueUrl: aws.String(p.queueURL),
		Entries:  entries,
	})
	if err != nil {
		var gone *types.QueueDoesNotExist
		for _, partition := range heads {
			outcomes[partition] = outcome{refused: errors.As(err, &gone)}
		}
		return outcomes
	}
	for _, entry := range answer.Successful {
		outcomes[*entry.Id] = outcome{offset: aws.ToString(entry.SequenceNumber)}
	}
	for _, entry := range answer.Failed {
		outcomes[*entry.Id] = outcome{refused: entry.SenderFault}
	}
	return outcomes
}

func headsOf(turns []string, queues map[string][]*waiting) []string {
	room := batchBytes
	for count, partition := range turns {
		room -= queues[partition][0].message.Bytes()
		if count == batchEntries || room < 0 {
			return turns[:count]
		}
	}
	return turns
}

func attributesOf(message Message) map[string]types.MessageAttributeValue {
	values := map[string]types.MessageAttributeValue{}
	for name, attribute := range message.Attributes {
		value := types.MessageAttributeValue{DataType: aws.String(attribute.DataType)}
		if attribute.DataType == "Binary" {
			value.BinaryValue = attribute.Binary
		} else {
			value.StringValue = aws.String(attribute.Text)
		}
		values[name] = value
	}
	return values
}
