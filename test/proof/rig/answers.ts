/** A request of the rig's client. */
export interface Ask {
  readonly method: string;
  /** The path, percent-encoded, and the query. */
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** The response, with the body as text. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly text: string;
}

/** Sends a request to the registry. Rejects without a complete response. */
export type Send = (ask: Ask) => Promise<Reply>;

/** The headers of every request: alternating names and values. */
export const listRawHeaders = ({ headers = {}, body }: Ask): string[] => [
  ...['Host', 'localhost'],
  ...(body === undefined ? [] : ['Content-Type', 'application/json']),
  ...Object.entries(headers).flat(),
];
