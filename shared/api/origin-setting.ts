import type { Ecosystem } from '../ecosystems/ecosystem.ts';

/** Returns the name of the setting that holds the address of an ecosystem's origin. */
export const toOriginSetting = <E extends Ecosystem>(ecosystem: E): `${E}Url` => `${ecosystem}Url`;
