// The single files have no types: those of the package's index apply to each.
declare module 'class-validator/cjs/*' {
  export * from 'class-validator';
}
