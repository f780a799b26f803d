import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { expect, it } from 'vitest';
import { composeHandler } from '../../shared/http/endpoint.ts';

it('says that an answer took too long while there is still time to say so, and that a write may have been done', async () => {
  const handler = composeHandler(() => new Promise(() => {}));
  const event = {
    ...{ httpMethod: 'POST', path: '/api/v1/packages', headers: {} },
    requestContext: { requestId: 'id' },
  } as APIGatewayProxyEvent;

  const { statusCode, body } = await handler(event, {
    getRemainingTimeInMillis: () => 1,
  } as Context & Parameters<typeof handler>[1]);

  expect(statusCode).toBe(500);
  expect(JSON.parse(body)).toMatchObject({
    ...{ code: 'timeout', title: 'The answer took too long', request_id: 'id' },
    detail: expect.stringContaining('same Idempotency-Key'),
  });
});
