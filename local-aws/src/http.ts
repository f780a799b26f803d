/** Responses of the HTTP servers in this package. */
import type { ServerResponse } from 'node:http';

export interface HttpAnswer<Body extends string | Buffer = string | Buffer> {
  readonly status: number;
  /** Header values by lower-case name. Each value of a list is sent on its own line. */
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

/** Returns the text with the characters escaped that mean something in XML. */
export const escapeXml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

export const answerXml = (status: number, body: string): HttpAnswer<string> => ({
  status,
  headers: { 'content-type': 'text/xml' },
  body,
});

/** Statuses whose responses have no body and must have no `content-length`. */
const bodiless = [204, 304];

/** Sends the response. For HEAD, Node.js omits the body and keeps `content-length`. */
export const sendAnswer = (response: ServerResponse, answer: HttpAnswer): void => {
  for (const [name, value] of Object.entries(answer.headers)) response.setHeader(name, value);
  if (!bodiless.includes(answer.status)) {
    response.setHeader('content-length', Buffer.byteLength(answer.body));
  }
  response.writeHead(answer.status);
  response.end(answer.body);
};
