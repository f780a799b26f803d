import httpJsonBodyParser from '@middy/http-json-body-parser';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { refuseInvalid } from '../domain/errors.ts';
import { defaultMaxBytes } from '../routes.ts';
import { readHeader } from './gateway-request.ts';
import type { EndpointMiddleware } from './state.ts';

const maxNesting = 32;

const json = /^application\/(?:[a-z0-9.+-]+\+)?json\s*(?:;|$)/i;

/** How deep brackets nest in a JSON text, without parsing it. */
const measureNesting = (text: string): number => {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (inString && character === '\\') at += 1;
    else if (character === '"') inString = !inString;
    else if (inString) continue;
    else if (character === '{' || character === '[') deepest = Math.max(deepest, ++depth);
    else if (character === '}' || character === ']') depth -= 1;
  }
  return deepest;
};

interface BodyRules {
  readonly optional: boolean;
  readonly maxBytes?: number;
}

const checkBody = (body: string, contentTypes: readonly string[], maxBytes: number): void => {
  if (contentTypes.length !== 1 || !json.test(contentTypes[0] ?? '')) {
    throw refuseInvalid('Content-Type', 'must be application/json');
  }
  if (Buffer.byteLength(body) > maxBytes) {
    throw refuseInvalid('body', `must be at most ${maxBytes} bytes`, 'body_too_large');
  }
  if (measureNesting(body) > maxNesting) {
    throw refuseInvalid('body', `must nest at most ${maxNesting} levels deep`);
  }
};

const readText = ({ body, isBase64Encoded }: APIGatewayProxyEvent): string =>
  isBase64Encoded ? Buffer.from(body ?? '', 'base64').toString() : (body ?? '');

/** Parses the body, where there is one, within limits. An endpoint whose body is optional sees an empty object instead. */
export const jsonBody = (body: BodyRules): EndpointMiddleware => {
  const parser = httpJsonBodyParser({ disableContentTypeCheck: true }) as EndpointMiddleware;

  return {
    before: async (request) => {
      const { event, internal } = request;
      internal.rawBody = readText(event);
      if (internal.rawBody.trim() === '') {
        if (!body.optional) throw refuseInvalid('body', 'is required: send a JSON object');
        internal.body = {};
        return;
      }
      const contentTypes = readHeader(event, 'Content-Type');
      checkBody(internal.rawBody, contentTypes, body.maxBytes ?? defaultMaxBytes);
      await parser.before?.(request);
      // The parser puts what it read in the place of the text.
      internal.body = event.body as unknown as object;
    },
  };
};
