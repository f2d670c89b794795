// Loaded before the command by `--import`: the last line of stderr says how much the process took.
process.on("exit", () => {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  const usage = { megabytes: maxRSS / 1024, cpuSeconds: (userCPUTime + systemCPUTime) / 1e6 };
  process.stderr.write(`\nusage ${JSON.stringify(usage)}\n`);
});
