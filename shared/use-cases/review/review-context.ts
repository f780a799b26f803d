import { anonymous } from '../../domain/tokens/actor.ts';
import type { CatalogueTarget } from '../../storage/catalogue/target.ts';
import type { WriteContext } from '../../storage/dynamodb/write-context.ts';
import type { VersionDetail } from '../../storage/packages/package-item.ts';

/** Dependencies of a write to a package version, with the catalogue target for lists and searches. */
export interface ReviewContext extends WriteContext<VersionDetail> {
  readonly catalogue: CatalogueTarget;
}

/** Returns the context of a write by the registry itself: no token decides, and no request repeats it. */
export const asRegistry = ({
  now,
  deadline,
  catalogue,
}: Pick<ReviewContext, 'now' | 'deadline' | 'catalogue'>): ReviewContext => ({
  ...{ actor: anonymous, now, deadline, catalogue },
  remember: () => [],
});
