// Stands before `npm pack` in the repository's own folder, whose manifest is not the package's.
console.error(
  "Expected `npm run package`, which packs the folder dist/package. A pack of the repository itself would carry its scripts, and a Node of 190 MB for each install",
);
process.exitCode = 1;
