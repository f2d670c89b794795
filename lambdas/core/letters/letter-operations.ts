import type { ActRequest } from "../acts/act.ts";
import type { Operation, Prepared } from "../acts/operation.ts";
import type { RequestBounds } from "../replay/replay-request.ts";
import { discardLetters } from "./discard.ts";
import { editLetter } from "./edit.ts";
import { type LetterPorts, LetterRefusedError, type RenewalPorts } from "./letter-ports.ts";
import {
  type Asked,
  parseEdit,
  parseId,
  parseIds,
  parseRenewal,
  parseSelection,
} from "./letter-request.ts";
import { purgeLetter } from "./purge.ts";
import { renewLetters } from "./renew.ts";
import { restoreLetters } from "./restore.ts";
import { showLetter } from "./show.ts";

/** Operations on letters that need no look at a payload. */
export function letterOperations(
  ports: RenewalPorts,
  bounds: RequestBounds,
): Readonly<Record<"discard" | "restore" | "renew", Operation>> {
  return {
    discard(fields): Prepared {
      const request = parseSelection(fields, bounds);
      return writes("discard", request, request.filter, (run) =>
        discardLetters(request, run, ports),
      );
    },
    restore(fields): Prepared {
      const request = parseIds(fields);
      return writes("restore", request, { ids: request.ids }, (run) =>
        restoreLetters(request.ids, run, ports),
      );
    },
    renew(fields): Prepared {
      const request = parseRenewal(fields, bounds);
      const { filter, expiringWithinSeconds } = request;
      return writes("renew", request, { ...filter, expiringWithinSeconds }, (run) =>
        renewLetters(request, run, ports),
      );
    },
  };
}

/** Operations that show, change or destroy what players did. `allowEdit`: whether the stack lets
 *  payloads be changed. */
export function payloadOperations(
  ports: LetterPorts,
  { allowEdit }: { readonly allowEdit: boolean },
): Readonly<Record<"show" | "edit" | "purge", Operation>> {
  return {
    show(fields): Prepared {
      const request = parseId(fields, false);
      return writes("show", request, { ids: [request.id] }, (run) =>
        showLetter(request, run, ports),
      );
    },
    edit(fields): Prepared {
      const request = parseEdit(fields);
      if (!allowEdit) throw editForbidden();
      return writes("edit", request, { ids: [request.id] }, (run) =>
        editLetter(request, run, ports),
      );
    },
    purge(fields): Prepared {
      const request = parseId(fields, true);
      return writes("purge", request, { ids: [request.id] }, (run) =>
        purgeLetter(request, run, ports),
      );
    },
  };
}

function editForbidden(): LetterRefusedError {
  return new LetterRefusedError(
    "This stack does not allow payloads to be edited. Nothing was touched; deploy it with `allowEdit` true where that is wanted",
  );
}

function writes(
  operation: string,
  { requestedBy: who, why, ticket }: Asked,
  filter: ActRequest["filter"],
  perform: Extract<Prepared, { kind: "writes" }>["perform"],
): Prepared {
  const request = { operation, who, why, ticket, filter, planDigest: undefined };
  return { kind: "writes", request, perform };
}
