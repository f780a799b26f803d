/** Number of the data format that this release reads and writes. A release that stores items in another form has the next number. */
export const dataFormat = 1;

/** Value of each key attribute of the item with a table's format. No key of another item has it. */
export const formatKeyValue = '#format';
