/** Each member of a union without these fields. `Omit` alone would keep only the fields that all members have. */
export type OmitEach<Union, Field extends PropertyKey> = Union extends unknown ? Omit<Union, Field> : never;
