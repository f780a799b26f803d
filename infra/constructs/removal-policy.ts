import { RemovalPolicy } from 'aws-cdk-lib';
import type { Settings } from '../config.ts';

/**
 * Returns the removal policy of tables, secrets and logs. Production keeps them, except the empty ones of a failed first
 * deployment. Development deletes them.
 */
export const chooseRemovalPolicy = ({ environment }: Settings): RemovalPolicy =>
  environment === 'production' ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;
