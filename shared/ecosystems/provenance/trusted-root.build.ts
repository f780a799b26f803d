import { DEFAULT_MIRROR_URL } from '@sigstore/tuf';
import seeds from '@sigstore/tuf/seeds.json' with { type: 'json' };

const repositories: Readonly<
  Record<string, { readonly targets: Readonly<Record<string, string>> } | undefined>
> = seeds;

const target = repositories[DEFAULT_MIRROR_URL]?.targets['trusted_root.json'] ?? '';

const trustedRoot: unknown = JSON.parse(Buffer.from(target, 'base64').toString());

/** Trusted root of Sigstore that the TUF client was released with. Computed when functions are bundled. */
export default trustedRoot;
