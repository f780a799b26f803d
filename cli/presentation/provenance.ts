import type { VersionEvidence } from '../../shared/api/schemas/evidence.ts';

type Provenance = NonNullable<VersionEvidence['facts']>['provenance'];

const statuses = {
  verified: 'verified',
  present: 'attestation not checked',
  invalid: 'invalid',
  none: 'no attestation',
} as const;

const signatures = {
  verified: 'registry signature verified',
  invalid: 'registry signature invalid',
  none: 'no registry signature',
} as const;

/** Returns the provenance of a version in one line; null if it is unknown. */
export const describeProvenance = (provenance: Provenance): string | null => {
  if (provenance === null) return null;
  const { status, source_repository, commit, workflow, builder, reason } = provenance;
  const source = source_repository ?? builder;
  return [
    source === null ? statuses[status] : `${statuses[status]}, built from ${source}`,
    ...(commit === null ? [] : [`commit ${commit}`]),
    ...(workflow === null ? [] : [`workflow ${workflow}`]),
    ...(reason === null ? [] : [reason]),
    ...(provenance.signatures === null ? [] : [signatures[provenance.signatures]]),
  ].join('; ');
};
