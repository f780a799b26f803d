import * as z from 'zod';
import { readPurl } from '../../shared/domain/packages/purl.ts';
import { joinReason, type VexClaim } from './claim.ts';

const Component = z.looseObject({
  'bom-ref': z.string().optional(),
  purl: z.string().optional(),
  name: z.string().optional(),
  get components() {
    return z.array(Component).optional();
  },
});
type Component = z.infer<typeof Component>;

const Affected = z.looseObject({
  ref: z.string(),
  versions: z
    .array(z.looseObject({ version: z.string().optional(), status: z.string().optional() }))
    .optional(),
});
type Affected = z.infer<typeof Affected>;

const Vulnerability = z.looseObject({
  id: z.string().default(''),
  analysis: z
    .looseObject({
      state: z.string().optional(),
      justification: z.string().optional(),
      detail: z.string().optional(),
    })
    .optional(),
  /** Other ids of the same vulnerability. */
  references: z.array(z.looseObject({ id: z.string().nullish() })).nullish(),
  affects: z.array(Affected).default([]),
});
type Vulnerability = z.infer<typeof Vulnerability>;

const Bom = z.looseObject({
  bomFormat: z.literal('CycloneDX'),
  specVersion: z.string().regex(/^1\.[4-7]$/, { error: 'must be 1.4 to 1.7' }),
  metadata: z.looseObject({ component: Component.optional() }).optional(),
  components: z.array(Component).default([]),
  vulnerabilities: z.array(Vulnerability),
});

export const isCycloneDx = (document: object): boolean =>
  'bomFormat' in document && document.bomFormat === 'CycloneDX';

const harmless = ['not_affected', 'false_positive'];

const flatten = (components: readonly Component[]): Component[] =>
  components.flatMap((one) => [one, ...flatten(one.components ?? [])]);

/** The reference within a document, of one that names another document too: `urn:cdx:<serial>/1#<reference>`. */
const readReference = (ref: string): string => {
  const [, fragment] = /^urn:cdx:[^#]*#(.*)$/.exec(ref) ?? [];
  try {
    return fragment === undefined ? ref : decodeURIComponent(fragment);
  } catch {
    return ref;
  }
};

/** What a document is about, and the components that it names. */
interface Contents {
  readonly main: Component | undefined;
  readonly byRef: ReadonlyMap<string, Component>;
}

type Subject = Pick<VexClaim, 'product' | 'version'> & { readonly part?: string | undefined };

/** What it is said of: of a part of what the document is about, that as a whole, as it is said of the part in there. */
const listSubjects = ({ ref, versions }: Affected, { main, byRef }: Contents): Subject[] => {
  const reference = readReference(ref);
  const component = byRef.get(reference);
  const product = component?.purl ?? reference;
  if (main?.purl && component !== main && readPurl(main.purl)) {
    return [{ product: main.purl, part: `in ${product}` }];
  }
  const affected = (versions ?? []).filter(({ status }) => status !== 'unaffected');
  if (!versions?.length || readPurl(product)?.version) return [{ product }];
  if (affected.length === 0) return [{ product, version: 'unaffected ones alone' }];
  // A range names no version: what it is said of cannot be accepted in one.
  return affected.map(({ version }) => ({ product, version: version ?? 'a range of versions' }));
};

const toClaims = (
  { id, analysis, references, affects }: Vulnerability,
  contents: Contents,
): VexClaim[] => {
  const subjects: Subject[] =
    affects.length > 0
      ? affects.flatMap((one) => listSubjects(one, contents))
      : [{ product: contents.main?.purl ?? null }];
  const status = analysis?.state ?? 'no analysis';
  return subjects.map(({ product, version, part }) => ({
    vulnerability: id,
    aliases: (references ?? []).flatMap((reference) => reference.id ?? []),
    product,
    version,
    // The document says all of it at once.
    at: 0,
    status,
    isHarmless: harmless.includes(status),
    reason: joinReason(
      [analysis?.justification ?? status, part, analysis?.detail],
      'VEX by CycloneDX',
    ),
  }));
};

/**
 * What a CycloneDX document says of its vulnerabilities.
 * @throws {z.ZodError} for what is no such document
 */
export const readCycloneDxVex = (document: object): VexClaim[] => {
  const { metadata, components, vulnerabilities } = Bom.parse(document);
  const main = metadata?.component;
  const all = flatten([...(main ? [main] : []), ...components]);
  const byRef = new Map(all.flatMap((one) => (one['bom-ref'] ? [[one['bom-ref'], one]] : [])));
  return vulnerabilities.flatMap((one) => toClaims(one, { main, byRef }));
};
