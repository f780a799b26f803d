import type { Signer } from '@sigstore/verify';
import { type BuildOrigin, noOrigin } from '../../domain/facts/provenance.ts';
import { dropHiddenCharacters } from '../../util/characters.ts';

/** Prefix of the object identifiers of Fulcio's extensions. Source: docs/oid-info.md of sigstore/fulcio. */
const fulcio = '1.3.6.1.4.1.57264.1';

/** Numbers of the extensions, which hold a UTF-8 string in DER. */
const numbers = {
  issuer: 8,
  builder: 9,
  source_repository: 12,
  commit: 13,
  workflow: 18,
} as const satisfies Record<keyof BuildOrigin, number>;

const longest = 300;
const utf8String = 0x0c;

/** Returns the text of a DER UTF-8 string with a length of one or two bytes; undefined for other values. */
const readUtf8String = (der: Buffer): string | undefined => {
  if (der[0] !== utf8String) return undefined;
  const start = (der[1] ?? 0) < 0x80 ? 2 : 2 + ((der[1] ?? 0) & 0x7f);
  return start > 4 ? undefined : der.toString('utf8', start);
};

const clean = (text: string | undefined): string | null => {
  const visible = dropHiddenCharacters(text ?? '').trim();
  return visible === '' || visible.length > longest ? null : visible;
};

/** Returns a web address; null for any other text. */
const cleanAddress = (text: string | null): string | null =>
  text !== null && /^https?:$/.test(URL.parse(text)?.protocol ?? '') ? text : null;

/**
 * Returns the origin of a build from the verified certificate of its signer. A certificate without a builder, such as that of a
 * person, shows its subject.
 */
export const readCertificateIdentity = ({ identity }: Signer): BuildOrigin => {
  const values = new Map(
    identity?.oids?.map(({ oid, value }) => [oid?.id.join('.'), value] as const),
  );
  const entries = Object.entries(numbers).map(([field, number]) => {
    const value = values.get(`${fulcio}.${number}`);
    return [field, clean(value && readUtf8String(value))];
  });
  const origin: BuildOrigin = { ...noOrigin, ...Object.fromEntries(entries) };
  return {
    ...origin,
    source_repository: cleanAddress(origin.source_repository),
    builder: origin.builder ?? clean(identity?.subjectAlternativeName),
    issuer: origin.issuer ?? clean(identity?.extensions?.issuer),
  };
};
