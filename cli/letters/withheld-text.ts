import type { WithheldKind } from "../../lambdas/core/letters/withheld.ts";
import { recordCommand } from "../record-command.ts";

/** Why no replay takes a letter, behind what the record is. */
export const WITHHELD: Readonly<Record<WithheldKind, string>> = {
  discarded: "discarded: no replay takes it",
  editing: "in an edit that was interrupted: no replay takes it until it is edited again",
};

/** What brings a withheld letter back. */
export function withheldCommand(
  id: string,
  kind: WithheldKind,
  { name }: { readonly name: string },
): string {
  const verb = kind === "editing" ? "edit" : "restore";
  const payload = kind === "editing" ? " --payload '...'" : "";
  return recordCommand(`letters ${verb}`, id, `--name ${name} --why '...'${payload}`);
}
