import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { buildReplayed } from './build-candidates.ts';
import { makeEnvironment } from './environment.ts';
import { kinds, requests } from './requests.ts';
import { type StandIn, startStandIn } from './stand-in.ts';

/** Candidates that need no framework. */
const installed = ['registry', 'bare'] as const;

const context = { getRemainingTimeInMillis: () => 10_000 };

describe("the benchmark's requests", () => {
  let folder: string;
  let standIn: StandIn;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'bench-test-'));
    standIn = await startStandIn();
    vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    Object.assign(process.env, makeEnvironment(standIn.url));
    await buildReplayed(installed, folder);
  });
  afterAll(() => {
    vi.restoreAllMocks();
    standIn.close();
    rmSync(folder, { recursive: true });
  });

  const wanted = installed.flatMap((candidate) => kinds.map((kind) => [candidate, kind] as const));

  it.each(wanted)('get the expected response without DynamoDB: %s, %s', async (candidate, kind) => {
    const { event, status } = requests[kind];
    const { handler } = await import(
      pathToFileURL(join(folder, `${candidate}-${kind}/index.mjs`)).href
    );

    const answer: APIGatewayProxyResult = await handler(structuredClone(event), context);

    expect(answer.statusCode).toBe(status);
    expect(answer.body).toContain('lodash');
  });
});
