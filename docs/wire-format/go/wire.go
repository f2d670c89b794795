// Package backlog publishes records for backlogorder, wire format version 1.
package backlog

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// MessageBytesMax is what a message may count: SQS allows 1,048,576, of which 4,096 stay free for what
// a dead letter adds.
const MessageBytesMax = 1_044_480

// A Record is what a game publishes. ID is its identity for ever, unique over all keys; a UUIDv7 is a
// good one.
type Record struct {
	ID           string
	Key          string
	Payload      []byte
	EnqueuedAtMs int64
	Attributes   map[string]Attribute
}

// An Attribute of a message; Binary where DataType is "Binary", else Text.
type Attribute struct {
	DataType string
	Text     string
	Binary   []byte
}

// A Message is one entry of a SendMessageBatch.
type Message struct {
	GroupID         string
	DeduplicationID string
	Body            string
	Attributes      map[string]Attribute
}

// KeyHash is 32-bit FNV-1a over the key's UTF-8 bytes.
func KeyHash(key string) uint32 {
	hash := uint32(2166136261)
	for i := 0; i < len(key); i++ {
		hash = (hash ^ uint32(key[i])) * 16777619
	}
	return hash
}

// PartitionOf gives a key's partition, 0 to partitions-1; 0 where there are none.
func PartitionOf(key string, partitions int) int {
	if partitions <= 0 {
		return 0
	}
	return int(uint64(KeyHash(key)) % uint64(partitions))
}

// MessageOf gives the message of a record, or says which rule the record breaks.
func MessageOf(record Record, partitions int) (Message, error) {
	characters := len(utf16.Encode([]rune(record.ID)))
	switch {
	case record.Key == "" || !utf8.ValidString(record.Key):
		return Message{}, fmt.Errorf("expected a key of UTF-8 text, got %q; record %q was not sent", record.Key, record.ID)
	case characters < 1 || characters > 256 || !isSQSText(record.ID):
		return Message{}, fmt.Errorf("expected an id of 1 to 256 characters that SQS takes, got %q", record.ID)
	case len(record.Attributes) > 5:
		return Message{}, fmt.Errorf("expected at most 5 attributes, got %d; record %q was not sent", len(record.Attributes), record.ID)
	}
	body, encoding := encoded(record.Payload)
	attributes := map[string]Attribute{
		"id":         {DataType: "String", Text: record.ID},
		"key":        keyAttribute(record.Key),
		"enqueuedAt": {DataType: "Number", Text: strconv.FormatInt(record.EnqueuedAtMs, 10)},
	}
	if encoding != "" {
		attributes["encoding"] = Attribute{DataType: "String", Text: encoding}
	}
	for name, attribute := range record.Attributes {
		switch name {
		case "id", "key", "enqueuedAt", "encoding", "replay", "deadLetter":
			return Message{}, fmt.Errorf("attribute %q is reserved; record %q was not sent", name, record.ID)
		}
		attributes[name] = attribute
	}
	message := Message{
		GroupID:         strconv.Itoa(PartitionOf(record.Key, partitions)),
		DeduplicationID: deduplicationID(record.ID),
		Body:            body,
		Attributes:      attributes,
	}
	if size := message.Bytes(); size > MessageBytesMax {
		return Message{}, fmt.Errorf("expected at most %d bytes, got %d; record %q was not sent", MessageBytesMax, size, record.ID)
	}
	return message, nil
}

// Bytes counts a message as SQS does: its body and each attribute's name, type and value.
func (m Message) Bytes() int {
	total := len(m.Body)
	for name, attribute := range m.Attributes {
		total += len(name) + len(attribute.DataType) + len(attribute.Text) + len(attribute.Binary)
	}
	return total
}

func keyAttribute(key string) Attribute {
	if isSQSText(key) {
		return Attribute{DataType: "String", Text: key}
	}
	return Attribute{DataType: "Binary", Binary: []byte(key)}
}

func deduplicationID(id string) string {
	plain := len(id) <= 128
	for i := 0; i < len(id); i++ {
		plain = plain && id[i] >= '!' && id[i] <= '~'
	}
	if plain {
		return id
	}
	sum := sha256.Sum256([]byte(id))
	return hex.EncodeToString(sum[:])
}

func encoded(payload []byte) (body, encoding string) {
	if len(payload) == 0 {
		return "-", "empty"
	}
	if text := string(payload); isSQSText(text) {
		return text, ""
	}
	return base64.StdEncoding.EncodeToString(payload), "base64"
}

func isSQSText(text string) bool {
	if !utf8.ValidString(text) {
		return false
	}
	for _, r := range text {
		if (r < 0x20 && r != '\t' && r != '\n' && r != '\r') || r == 0xFFFE || r == 0xFFFF {
			return false
		}
	}
	return true
}
