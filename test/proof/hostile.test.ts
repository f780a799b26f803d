import { describe, expect, inject, it } from 'vitest';
import { histories } from '../support/histories.ts';
import { runHostile, startHostileSockets } from './hostile/run-hostile.ts';

const assembly = inject('assembly');

describe('valid, nearly valid and hostile requests to every operation', () => {
  it('get documented responses, and leave no canary in the log', async () => {
    const wrong = await runHostile({ assembly, seed: 1, requests: histories(1000) });

    expect(wrong).toEqual([]);
  });

  it('get documented responses over sockets from the real bundles', async () => {
    const sockets = await startHostileSockets(assembly, 1);

    const wrong = await sockets.check({ seed: 2, requests: histories(40) });
    await sockets.close();

    expect(wrong).toEqual([]);
  });
});
