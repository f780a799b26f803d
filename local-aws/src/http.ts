/** The answers that the HTTP servers of this folder give. */
import type { ServerResponse } from 'node:http';

export interface HttpAnswer<Body extends string | Buffer = string | Buffer> {
  readonly status: number;
  /** Header name in lower case to its value, or to several, each sent on a line of its own. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: Body;
}

export const answerJson = (
  status: number,
  body: unknown,
  headers: HttpAnswer['headers'] = {},
): HttpAnswer<string> => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

/** Statuses whose answers never have a body, and must not state its length. */
const bodiless = [204, 304];

/** Sends the answer. Node.js leaves the body of an answer to HEAD out, and the length in. */
export const sendAnswer = (response: ServerResponse, answer: HttpAnswer): void => {
  for (const [name, value] of Object.entries(answer.headers)) response.setHeader(name, value);
  if (!bodiless.includes(answer.status)) {
    response.setHeader('content-length', Buffer.byteLength(answer.body));
  }
  response.writeHead(answer.status);
  response.end(answer.body);
};
