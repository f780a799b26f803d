import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TrustedRoot } from '@sigstore/protobuf-specs';
import { DEFAULT_MIRROR_URL, getTrustedRoot } from '@sigstore/tuf';
import seeds from '@sigstore/tuf/seeds.json' with { type: 'json' };
import { createAttestationVerifier } from './verify-attestation.ts';

/** TUF repository of Sigstore, or a mirror of it. */
export interface RootSource {
  /** Base URL without a slash at its end. */
  readonly url: string;
  /** First trusted TUF metadata, as JSON; that of the release if omitted. */
  readonly firstRoot?: Buffer;
}

const timeoutMs = 10_000;

const seed = Buffer.from(seeds[DEFAULT_MIRROR_URL]['root.json'], 'base64');

/**
 * Fetches the trusted root of Sigstore by TUF, in its JSON form. The signatures of all metadata are checked, from the root metadata
 * of the release up.
 * @throws {Error} if a request fails, or if a signature or the format is invalid
 */
export const fetchTrustedRoot = async ({ url, firstRoot = seed }: RootSource): Promise<unknown> => {
  const cachePath = await mkdtemp(join(tmpdir(), 'trusted-root-'));
  try {
    const rootPath = join(cachePath, 'first-root.json');
    await writeFile(rootPath, firstRoot);
    const found = await getTrustedRoot({
      ...{ mirrorURL: url, cachePath, rootPath },
      ...{ timeout: timeoutMs, retry: { retries: 2 } },
    });
    const root = TrustedRoot.toJSON(found);
    // A root that cannot be used would make all attestations unchecked.
    createAttestationVerifier({ root, isCurrent: true });
    return root;
  } finally {
    await rm(cachePath, { recursive: true, force: true });
  }
};
