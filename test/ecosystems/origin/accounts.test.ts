import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PackageId } from '../../../shared/domain/packages/package-id.ts';
import { byEcosystem, type Ecosystem, ecosystems } from '../../../shared/ecosystems/ecosystem.ts';
import { createOriginClient } from '../../../shared/ecosystems/origin-client.ts';
import { createMalwareFeed } from '../../../shared/scanners/osv/malware-feed.ts';
import { createOsvClient } from '../../../shared/scanners/osv/osv-client.ts';
import type { FindAuthorization } from '../../../shared/util/outbound-http/accounts.ts';
import { type StandIn, serveStandIn } from '../../support/stand-in.ts';

const basic = `Basic ${Buffer.from('reader:open-sesame').toString('base64')}`;
const bearer = 'Bearer open-sesame';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

let mirror: StandIn;
/** Server of somebody else: another port is another origin. */
let other: StandIn;
let accepted: string;
let answer: Answer;
let seen: (string | undefined)[];
let seenByOther: (string | undefined)[];

const answerNothing: Answer = (_, response) => void response.writeHead(404).end();

beforeEach(async () => {
  [accepted, answer, seen, seenByOther] = [basic, answerNothing, [], []];
  mirror = await serveStandIn((request, response) => {
    const { authorization } = request.headers;
    seen.push(authorization);
    if (authorization === accepted) return answer(request, response);
    return void response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="mirror"' }).end();
  });
  other = await serveStandIn((request, response) => {
    seenByOther.push(request.headers.authorization);
    response.writeHead(404).end();
  });
});
afterEach(() => Promise.all([mirror.close(), other.close()]));

const hostOf = ({ url }: StandIn): string => new URL(url).host;

/** Returns the search in a secret with one account, that of the mirror. */
const findIn =
  (...values: readonly (string | undefined)[]): FindAuthorization =>
  async (host, refused) =>
    host === hostOf(mirror) ? values[refused === undefined ? 0 : values.length - 1] : undefined;

const toId = (ecosystem: Ecosystem): PackageId => ({
  ...{ ecosystem, name: ecosystem === 'maven' ? 'g:a' : 'a', version: '1.0.0' },
});

const ask = async (ecosystem: Ecosystem, findAuthorization: FindAuthorization) => {
  const client = createOriginClient({
    ...{ addresses: byEcosystem(ecosystems, () => `${mirror.url}/repository/`) },
    ...{ imageRegistries: [{ host: 'docker.io', url: mirror.url }] },
    ...{ timeoutMs: 5_000, backoffMs: 1, findAuthorization },
  });
  const collected = await client.collectFacts(toId(ecosystem));
  expect(JSON.stringify(collected)).not.toMatch(/open-sesame|[A-Za-z0-9]{20}=/);
  return collected;
};

const refusals = 'its account in the secret of the setting upstreamSecretArn with status 401';

describe.each(ecosystems)('a mirror of %s', (ecosystem) => {
  it.each([
    ['a password', basic],
    ['a token', bearer],
  ])('gets its account with %s', async (_, account) => {
    accepted = account;

    // The mirror does not have the package, and says so only to its account.
    const { facts } = await ask(ecosystem, findIn(account));
    expect(facts.reason ?? '').not.toContain('status 401');
    expect(seen).toContain(account);
  });

  it('that refuses the account is a failure that names the setting', async () => {
    const { facts } = await ask(ecosystem, findIn('Basic b3RoZXI6b3RoZXI='));

    expect(facts.found).toBe('unknown');
    expect(facts.reason).toContain(`${hostOf(mirror)} refused ${refusals}`);
  });

  it('gets a changed account after a refusal', async () => {
    const { facts } = await ask(ecosystem, findIn('Basic b3RoZXI6b3RoZXI=', basic));

    expect(facts.reason ?? '').not.toContain('status 401');
    expect(seen.at(-1)).toBe(basic);
  });

  it('may redirect to another host, which gets no account', async () => {
    answer = (_, response) => {
      response.writeHead(302, { Location: `${other.url}/elsewhere` }).end();
    };
    // Also where the other host has an account of its own: upstream must not choose who uses that.
    await ask(ecosystem, async () => basic);

    expect(seenByOther.length).toBeGreaterThan(0);
    expect(seenByOther.filter((value) => value !== undefined)).toEqual([]);
  });
});

describe('a mirror without an account', () => {
  it.each(['npm', 'pypi', 'maven'] as const)('is a failure that says so: %s', async (ecosystem) => {
    const { facts } = await ask(ecosystem, findIn(undefined));

    expect(facts.reason).toContain(
      `no account of ${hostOf(mirror)} is known from the secret of the setting upstreamSecretArn`,
    );
  });
});

describe('a mirror of OSV.dev and of the malware feed', () => {
  const settings = () => ({ url: mirror.url, timeoutMs: 5_000, backoffMs: 1 });

  it('get their accounts', async () => {
    answer = (_, response) => void response.end('{"results":[{}]}');
    const client = createOsvClient({ ...settings(), findAuthorization: findIn(basic) });

    expect(await client.scanVersions([toId('npm')])).toHaveLength(1);
    expect(seen).toEqual([basic]);

    answer = answerNothing;
    const feed = createMalwareFeed({ ...settings(), findAuthorization: findIn(basic) });

    expect(await feed.readRecord('npm', 'MAL-1')).toBeUndefined();
    expect(seen).toEqual([basic, basic]);
  });

  it('that refuse them are failures that name the setting', async () => {
    const feed = createMalwareFeed({ ...settings(), findAuthorization: findIn(bearer) });

    await expect(feed.readRecord('npm', 'MAL-1')).rejects.toThrow(refusals);
  });
});
