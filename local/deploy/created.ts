/** A resource that exists. */
export type Created = {
  /** What `Ref` gives. */
  readonly physicalId: string;
  /** What `Fn::GetAtt` gives. */
  readonly attributes: Readonly<Record<string, unknown>>;
};
