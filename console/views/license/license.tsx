import { EmptyState } from '../../parts/placeholders.tsx';
import type { ViewProps } from '../view-props.ts';
import { LicenseDetail } from './license-detail.tsx';

/** The view of one license: its terms, the decision on it, and the versions that state it. */
export const License = ({ address: { query } }: ViewProps) => {
  const { name } = query;
  if (!name) {
    return (
      <EmptyState title="No license is chosen">
        The evidence of a version leads to its licenses.
      </EmptyState>
    );
  }
  return <LicenseDetail key={name} name={name} />;
};
