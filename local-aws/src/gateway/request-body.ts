/** Reads request bodies up to API Gateway's limit. */
import type { IncomingMessage } from 'node:http';
import { answerJson } from '../http.ts';

/** API Gateway's payload limit, in bytes: https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-execution-service-limits-table.html */
export const maxBodyBytes = 10 * 1024 * 1024;

/** Thrown if the body is larger than API Gateway accepts. */
export class BodyTooLongError extends Error {
  override name = 'BodyTooLongError';
}

/** Response to a body that is too long. Gateway responses of the API do not apply to it. */
export const tooLongAnswer = answerJson(413, { message: 'Request Too Long' });

/** @throws {BodyTooLongError} as soon as the limit is exceeded; the rest of the body is discarded */
export const readBody = (message: IncomingMessage): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const take = (chunk: Buffer): void => {
      bytes += chunk.length;
      if (bytes <= maxBodyBytes) chunks.push(chunk);
      else fail(new BodyTooLongError());
    };
    const fail = (error: Error): void => {
      message.off('data', take).resume();
      reject(error);
    };
    if (Number(message.headers['content-length']) > maxBodyBytes) {
      fail(new BodyTooLongError());
      return;
    }
    message.on('data', take);
    message.on('end', () => resolve(Buffer.concat(chunks)));
    message.on('error', fail);
  });
