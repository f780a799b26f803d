/** A program that sends the requests of one client to a mirror, as a function does, and prints the result. */
import { readFileSync } from 'node:fs';
import { ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { byEcosystem, ecosystems } from '../../shared/ecosystems/ecosystem.ts';
import { createOriginClient } from '../../shared/ecosystems/origin-client.ts';
import { fetchTrustedRoot } from '../../shared/ecosystems/provenance/fetch-trusted-root.ts';
import { discoverIssuer } from '../../shared/platform/auth/issuer-keys.ts';
import { readSecret } from '../../shared/platform/auth/token-secret.ts';
import { sendMessages } from '../../shared/platform/worker/send-messages.ts';
import { createMalwareFeed } from '../../shared/scanners/osv/malware-feed.ts';
import { createOsvClient } from '../../shared/scanners/osv/osv-client.ts';
import { dynamodb } from '../../shared/storage/dynamodb/dynamodb.ts';
import { createDeadline } from '../../shared/util/deadline.ts';

const [, , name = '', url = '', firstRoot = ''] = process.argv;

const timeoutMs = 10_000;

const ids = {
  npm: { ecosystem: 'npm', name: 'a', version: '1.0.0' },
  pypi: { ecosystem: 'pypi', name: 'a', version: '1.0' },
  maven: { ecosystem: 'maven', name: 'g:a', version: '1.0' },
  docker: { ecosystem: 'docker', name: 'mirror.test/a/b', version: '1.0' },
} as const;

const ask = (ecosystem: keyof typeof ids) => () =>
  createOriginClient({
    addresses: byEcosystem(ecosystems, () => url),
    imageRegistries: [{ host: 'mirror.test', url }],
    timeoutMs,
  }).collectFacts(ids[ecosystem]);

const clients: Readonly<Record<string, () => Promise<unknown>>> = {
  ...byEcosystem(ecosystems, ask),
  osv: () => createOsvClient({ url, timeoutMs }).scanVersions([ids.npm]),
  feed: () => createMalwareFeed({ url, timeoutMs }).readRecord('npm', 'MAL-1'),
  tuf: () => fetchTrustedRoot({ url: `${url}/tuf`, firstRoot: readFileSync(firstRoot) }),
  issuer: () => discoverIssuer(url),
  secrets: () => readSecret('arn:aws:secretsmanager:eu-west-1:123456789012:secret:a-AbCdEf'),
  queues: () => sendMessages('scan', ['1'], createDeadline(timeoutMs)),
  tables: () => dynamodb.send(new ListTablesCommand({})),
  fetch: async () => (await fetch(url)).status,
};

const result = await clients[name]?.();
console.log(JSON.stringify(result ?? null));
