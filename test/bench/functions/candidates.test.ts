import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { buildReplayed } from './build-candidates.ts';
import { makeEnvironment } from './environment.ts';
import { readAnswer } from './measure.ts';
import { kinds, requests } from './requests.ts';
import { type StandIn, startStandIn } from './stand-in.ts';

const context = { getRemainingTimeInMillis: () => 10_000 };

describe("the benchmark's requests", () => {
  let folder: string;
  let standIn: StandIn;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'bench-test-'));
    standIn = await startStandIn();
    vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    Object.assign(process.env, makeEnvironment(standIn.url));
    await buildReplayed(['registry', 'bare'], folder);
  });
  afterAll(() => {
    vi.restoreAllMocks();
    standIn.close();
    rmSync(folder, { recursive: true });
  });

  it.each(kinds)('have the same answer of the registry as of a bare handler: %s', async (kind) => {
    const { event, status } = requests[kind];
    const ask = async (candidate: string): Promise<APIGatewayProxyResult> => {
      const url = pathToFileURL(join(folder, `${candidate}-${kind}/index.mjs`));
      const { handler } = await import(url.href);
      return handler(structuredClone(event), context);
    };

    const [own, bare] = await Promise.all([ask('registry'), ask('bare')]);

    expect([own.statusCode, bare.statusCode]).toEqual([status, status]);
    expect(readAnswer(own.body)).toBe(readAnswer(bare.body));
    expect(Object.keys(own.headers ?? {})).toEqual(
      expect.arrayContaining(Object.keys(bare.headers ?? {})),
    );
  });
});
