/** What JSON can say. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

/** An object of JSON. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}
