/** A request of a client of the rig. */
export interface Ask {
  readonly method: string;
  /** The path, percent-encoded, and the query. */
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** What came back: the body as text. */
export interface Told {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly text: string;
}

/** Asks the registry. Rejects where nothing whole came back. */
export type Send = (ask: Ask) => Promise<Told>;

/** The base of every request's headers: names and values in turn. */
export const listRawHeaders = ({ headers = {}, body }: Ask): string[] => [
  ...['Host', 'localhost'],
  ...(body === undefined ? [] : ['Content-Type', 'application/json']),
  ...Object.entries(headers).flat(),
];
