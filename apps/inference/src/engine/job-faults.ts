/** The process ended before it began the job: the next process may do it. */
export class ProcessLost extends Error {
  override name = 'ProcessLost';
}

/** The process ended while it worked on the job, by itself or because of the limits: perhaps the image did that. */
export class JobBroke extends Error {
  override name = 'JobBroke';
}

/** The process was killed from outside while it worked on the job: by an operator, or by the kernel for lack of memory. */
export class JobKilled extends Error {
  override name = 'JobKilled';
}
