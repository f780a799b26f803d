/** Maximum number of package versions in one check request. */
export const maxChecked = 1000;

/** Maximum number of these with hashes. Each of them needs one more read. */
export const maxWithHashes = 500;

/** Maximum number of refused packages for which a check finds the nearest approved version. */
export const maxNearest = 20;
