/** Serves the calls of one AWS service over HTTP, without a stack. */
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { ApiError, answerError, parseCall, type Service } from './api-call.ts';
import { answerJson, sendAnswer } from './http.ts';
import type { JsonObject } from './json.ts';
import { listenOnLoopback } from './loopback.ts';

/** Running service. */
export interface RunningService {
  /** URL of the service, such as `http://127.0.0.1:8000`. */
  readonly endpoint: string;
  close(): Promise<void>;
}

const toApiError = (error: unknown): ApiError =>
  error instanceof ApiError ? error : new ApiError('InternalServiceError', String(error), 500);

/** Starts a server on a free port of the loopback interface, which answers each call with the result of `handle`. */
export const startService = async (
  service: Service,
  handle: (operation: string, body: JsonObject) => JsonObject | Promise<JsonObject>,
): Promise<RunningService> => {
  const server = createServer(async (request, response) => {
    try {
      const { operation, body } = parseCall(request.headers, await buffer(request));
      const result = await handle(operation, body);
      const headers = { 'content-type': 'application/x-amz-json-1.1' };
      sendAnswer(response, answerJson(200, result, headers));
    } catch (error) {
      sendAnswer(response, answerError(toApiError(error), service));
    }
  });
  const { url, close } = await listenOnLoopback(server, 0);
  return { endpoint: url, close };
};
