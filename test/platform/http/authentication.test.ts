import type { APIGatewayProxyEvent } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import * as routes from '../../../shared/api/routes.ts';
import { parseTokenList } from '../../../shared/domain/tokens/token-list.ts';
import { authentication } from '../../../shared/platform/http/authentication.ts';
import type { EndpointRequest, RequestState } from '../../../shared/platform/http/state.ts';

const token = 'a'.repeat(43);
const list = parseTokenList(
  `ci:${token},ana:${'b'.repeat(43)},ana:${'c'.repeat(43)},${'d'.repeat(43)}`,
);

/** Authenticates a request, and returns its result with the number of list reads. */
const enter = async (presented: string) => {
  const internal: RequestState = {};
  const asked: string[] = [];
  const tokens = {
    current: async () => {
      asked.push('current');
      return list;
    },
    refreshed: async () => {
      asked.push('refreshed');
      return list;
    },
  };
  const { before } = authentication(routes.approvePackage, {
    ...{ tokens, required: () => true },
    findIdTokenVerifier: () => undefined,
  });
  const event = {
    multiValueHeaders: { 'X-API-Key': [presented] },
  } as Partial<APIGatewayProxyEvent>;
  const failure = await Promise.resolve(before?.({ event, internal } as EndpointRequest)).catch(
    (error: unknown) => error,
  );
  return { internal, asked, failure };
};

describe('authentication', () => {
  it('provides the labels of all tokens, with one read of the list', async () => {
    const { internal, asked, failure } = await enter(token);

    expect(failure).toBeUndefined();
    expect(internal).toMatchObject({ caller: { label: 'ci' }, labels: ['ci', 'ana'] });
    expect(asked).toEqual(['current']);
  });

  it('provides no labels without an accepted token', async () => {
    const { internal, failure } = await enter('e'.repeat(43));

    expect(failure).toMatchObject({ code: 'invalid_token' });
    expect(internal).toEqual({});
  });
});
