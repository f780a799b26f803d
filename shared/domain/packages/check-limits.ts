/** How many package versions one request to check may ask about. */
export const maxChecked = 1000;

/** How many of them may have hashes: each is one more read. */
export const maxWithHashes = 500;
