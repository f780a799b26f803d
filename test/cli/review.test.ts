import { expect, it } from 'vitest';
import { decide } from '../../cli/review/decide.ts';
import { createClient } from '../../shared/client/client.ts';
import { json, problem, startScripted } from '../support/scripted-server.ts';

const item = {
  name: 'left-pad',
  ecosystem: 'npm',
  version: '1.3.0',
  status: 'pending',
  license: null,
} as const;
const verdict = { by: 'ana', reason: 'because' };

it.each(['approved', 'rejected'] as const)(
  'has a version %s only if it is still pending when the registry decides',
  async (to) => {
    const server = await startScripted(json(200, { ...item, status: to }));

    const { kind } = await decide(createClient({ url: server.url }), item, { ...verdict, to });

    await server.close();
    expect(kind).toBe('done');
    expect(server.received).toHaveLength(1);
    expect(JSON.parse(server.received[0]?.body ?? '')).toMatchObject({
      reason: 'because',
      expected_status: 'pending',
    });
  },
);

it.each(['decision_conflict', 'decision_in_force'])(
  'takes %s for the decision of somebody else, and reads it',
  async (code) => {
    const decided = { ...item, status: 'rejected', rejected_by: 'ben' };
    const server = await startScripted(problem(409, code), json(200, decided));
    const client = createClient({ url: server.url });

    const outcome = await decide(client, item, { ...verdict, to: 'approved' });

    await server.close();
    expect(outcome).toEqual({ kind: 'overtaken', detail: decided });
    expect(server.received.map(({ method }) => method)).toEqual(['POST', 'GET']);
  },
);
