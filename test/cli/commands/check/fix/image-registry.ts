import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { CheckRequest } from '../../../../../shared/api/schemas/check-request.ts';
import { byEcosystem, fileEcosystems } from '../../../../../shared/ecosystems/ecosystem.ts';
import { checkPackages } from '../../../../../shared/use-cases/package-check/check-packages.ts';
import { submitPackage } from '../../../../../shared/use-cases/review/submit-package.ts';
import { writeContext } from '../../../../capacity/write-context.ts';
import { approveWith, decide } from '../../../../ecosystems/gate/keep.ts';
import { startEngine } from '../../../../support/engine.ts';

const image = (name: string, version: string) => ({ ecosystem: 'docker' as const, name, version });

/** The digest of an image, to which its tag resolved at the approval. */
export const digestOf = (name: string, tag: string): string =>
  `sha256:${createHash('sha256').update(`${name}:${tag}`).digest('hex')}`;

const hosts = { index_hosts: ['registry.example.com'], file_hosts: [] };
const context = {
  ...{ rules: {}, origins: byEcosystem(fileEcosystems, () => hosts) },
  own: [{ ecosystem: 'docker', pattern: 'registry.example.com/own/*' }],
  inquiries: { isScanning: false, isCollectingFacts: false },
} as const;

/** A registry that answers checks by the real rules, on a real database, over HTTP. */
export const startImageRegistry = async () => {
  const engine = await startEngine();
  const requests: CheckRequest[] = [];
  let beforeAnswer = (): void => {};
  const server = createServer(async (request, response) => {
    const body = CheckRequest.parse(JSON.parse(await text(request)));
    requests.push(body);
    beforeAnswer();
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(await checkPackages(body, context, new Date())));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    /** Sets what happens before each answer. */
    onCheck: (act: () => void) => {
      beforeAnswer = act;
    },
    /** Approves a tag with the digest that it has now. */
    approve: (name: string, tag: string) =>
      approveWith(image(name, tag), { kind: 'docker', digest: digestOf(name, tag), images: [] }),
    /** Approves a tag whose digest nobody knows. */
    approveUnknown: async (name: string, tag: string) => {
      await submitPackage(image(name, tag), writeContext());
      await decide(image(name, tag), 'approved');
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await engine.close();
    },
  };
};

export type ImageRegistry = Awaited<ReturnType<typeof startImageRegistry>>;
