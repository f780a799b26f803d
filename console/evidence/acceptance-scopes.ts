import type { AcceptanceRequest } from '../../shared/api/schemas/acceptance.ts';
import type { VersionId } from '../address/version-id.ts';

/** Scope that the form offers, with its name for people. */
export interface OfferedScope {
  readonly label: string;
  /** The scope as the API takes it. */
  readonly scope: Pick<AcceptanceRequest, 'ecosystem' | 'name' | 'version'>;
}

/** The widest scope. */
export const everywhere: OfferedScope = {
  label: 'in all packages of all ecosystems',
  scope: {},
};

/** Returns the scopes that contain a version, the narrowest first. */
export const listScopesOf = ({ ecosystem, name, version }: VersionId): OfferedScope[] => [
  { label: 'in this version', scope: { ecosystem, name, version } },
  { label: 'in all versions of this package', scope: { ecosystem, name } },
  { label: 'in all packages of this ecosystem', scope: { ecosystem } },
  everywhere,
];
