import { oneOf } from '../../shared/api/schemas/one-of.ts';
import { flag, ownPackages, places, positive } from '../setting-kinds.ts';

/** Settings of the gate. */
export const gateSettings = {
  /** Whether an install through the gate with a token submits what the registry does not have. */
  gateRequests: flag.default(false),
  /** The seconds for which package managers may cache responses of the gate. */
  gateCacheSeconds: positive('seconds').default(60),
  /** More hosts of package files, each with an optional mirror. */
  gateOrigins: places.default('none'),
  /** The names of the organisation's own packages, which need no review and are not asked at public origins. */
  ownPackages: ownPackages.default('none'),
  /** Whether the gate serves all Maven plugins, or only approved versions. */
  gateMavenPlugins: oneOf(['approved', 'pass']).default('approved'),
};
