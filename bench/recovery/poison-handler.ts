/** Tells of each record that it could handle; what is poison fails every time. */
export async function handle({ key }: { readonly key: string }): Promise<undefined> {
  if (key.startsWith("poison:")) throw new Error("this record cannot be handled");
  console.log(JSON.stringify({ handled: key }));
}
