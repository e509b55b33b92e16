/** Whether nothing leaves the server by itself, since it was started with `QUIET`. */
export class QuietServer {
  constructor(readonly isQuiet: boolean) {}
}
