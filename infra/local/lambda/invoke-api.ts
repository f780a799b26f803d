/** Lambda's Invoke operation over HTTP, for functions that no request reaches: https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { type ListeningServer, listenOnLoopback } from '../loopback.ts';
import type { LambdaFunction } from '../template/model.ts';

interface InvokeApiOptions {
  readonly functions: readonly LambdaFunction[];
  invoke(functionId: string, event: unknown): Promise<unknown>;
}

const invocation = /^\/2015-03-31\/functions\/(?<name>[^/]+)\/invocations$/;

function send(response: ServerResponse, status: number, body: unknown, headers: object = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { functions, invoke }: InvokeApiOptions,
): Promise<void> {
  const name = invocation.exec(request.url ?? '')?.groups?.['name'];
  const target = functions.find((candidate) => candidate.name === name);
  if (request.method !== 'POST' || !target) {
    send(response, 404, { Type: 'User', Message: `Function not found: ${name}` });
    return;
  }
  const payload = await text(request);
  try {
    send(response, 200, await invoke(target.id, payload === '' ? null : JSON.parse(payload)));
  } catch (error) {
    // Lambda answers 200 here too: the invocation went well, the function did not.
    const errorMessage = error instanceof Error ? error.message : String(error);
    send(response, 200, { errorMessage }, { 'x-amz-function-error': 'Unhandled' });
  }
}

/** Listens on a free port of the loopback interface. */
export function startInvokeApi(options: InvokeApiOptions): Promise<ListeningServer> {
  const server = createServer((request, response) => {
    answer(request, response, options).catch((error: unknown) =>
      send(response, 500, { Message: String(error) }),
    );
  });
  return listenOnLoopback(server, 0);
}
