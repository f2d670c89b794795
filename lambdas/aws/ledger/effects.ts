import type { TransactWriteItem } from "@aws-sdk/client-dynamodb";
import type { Handler as CoreHandler } from "../../core/handler.ts";

/** One write that a handler returns instead of doing it: an item of TransactWriteItems. */
export type Effect = TransactWriteItem;

/** What the game's file exports as `handle`. */
export type Handler = CoreHandler<Effect>;
