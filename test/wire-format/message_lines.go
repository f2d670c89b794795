// Reads cases as JSON lines and answers each with the example's message.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	backlog "example.com/game/backlog"
)

type testCase struct {
	Key           string
	Partitions    int
	ID            *string
	PayloadBase64 []byte
	EnqueuedAt    int64
}

type attribute struct {
	DataType    string
	StringValue string `json:",omitempty"`
	BinaryValue []byte `json:",omitempty"`
}

type message struct {
	MessageGroupId         string
	MessageDeduplicationId string
	MessageBody            string
	MessageAttributes      map[string]attribute
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<22)
	for lines.Scan() {
		var given testCase
		must(json.Unmarshal(lines.Bytes(), &given))
		text, err := json.Marshal(answer(given))
		must(err)
		fmt.Println(string(text))
	}
	must(lines.Err())
}

func answer(given testCase) map[string]any {
	if given.ID == nil {
		return map[string]any{
			"hash":      backlog.KeyHash(given.Key),
			"partition": backlog.PartitionOf(given.Key, given.Partitions),
		}
	}
	made, err := backlog.MessageOf(backlog.Record{
		ID: *given.ID, Key: given.Key, Payload: given.PayloadBase64, EnqueuedAtMs: given.EnqueuedAt,
	}, given.Partitions)
	must(err)
	attributes := map[string]attribute{}
	for name, value := range made.Attributes {
		attributes[name] = attribute{value.DataType, value.Text, value.Binary}
	}
	return map[string]any{
		"message": message{made.GroupID, made.DeduplicationID, made.Body, attributes},
		"bytes":   made.Bytes(),
	}
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
