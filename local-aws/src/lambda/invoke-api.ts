/** Lambda's Invoke operation over HTTP, for functions without an API route: https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html */
import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { answerJson, type HttpAnswer, sendAnswer } from '../http.ts';
import { parseJson } from '../json.ts';
import { type ListeningServer, listenOnLoopback } from '../loopback.ts';
import type { LambdaFunction } from '../template/model.ts';

interface InvokeApiOptions {
  readonly functions: readonly LambdaFunction[];
  invoke(functionId: string, event: unknown): Promise<unknown>;
}

const invocation = /^\/2015-03-31\/functions\/(?<name>[^/]+)\/invocations$/;

const refuse = (status: number, Message: string): HttpAnswer =>
  answerJson(status, { Type: 'User', Message });

const answer = async (
  request: IncomingMessage,
  { functions, invoke }: InvokeApiOptions,
): Promise<HttpAnswer> => {
  const name = invocation.exec(request.url ?? '')?.groups?.['name'];
  const target = functions.find((candidate) => candidate.name === name);
  if (request.method !== 'POST' || !target) return refuse(404, `Function not found: ${name}`);
  const payload = parseJson((await text(request)) || 'null');
  if (payload === undefined) return refuse(400, 'Could not parse request body into json');
  try {
    return answerJson(200, await invoke(target.id, payload));
  } catch (error) {
    // Lambda also answers 200: the invocation succeeded, only the function failed.
    const errorMessage = error instanceof Error ? error.message : String(error);
    return answerJson(200, { errorMessage }, { 'x-amz-function-error': 'Unhandled' });
  }
};

/** Starts the API on a free port of the loopback interface. */
export const startInvokeApi = (options: InvokeApiOptions): Promise<ListeningServer> => {
  const server = createServer((request, response) => {
    answer(request, options)
      .catch((error: unknown) => answerJson(500, { Message: String(error) }))
      .then((given) => sendAnswer(response, given));
  });
  return listenOnLoopback(server, 0);
};
