import type * as Swagger from '@nestjs/swagger';

type Library = typeof Swagger;
type Names = 'ApiBody' | 'ApiConsumes' | 'ApiExtension' | 'ApiHeader' | 'ApiParam' | 'ApiTags';
type Decorator = (target: object, key?: string | symbol, descriptor?: PropertyDescriptor) => void;

const waiting: ((library: Library) => void)[] = [];

/**
 * Decorators of `@nestjs/swagger`, applied when the library is loaded for the OpenAPI document: it has 500 files, a tenth of what the
 * server would load at its start, and few servers are asked for the document.
 */
function deferred<Options extends readonly unknown[]>(make: (library: Library, ...options: Options) => unknown) {
  return (...options: Options): Decorator =>
    (target, key, descriptor) => {
      waiting.push((library) => {
        (make(library, ...options) as Decorator)(target, key, descriptor);
      });
    };
}

function named<Name extends Names>(name: Name): (...options: Parameters<Library[Name]>) => Decorator {
  return deferred((library, ...options: Parameters<Library[Name]>) =>
    (library[name] as (...given: readonly unknown[]) => unknown)(...options),
  );
}

export const ApiBody = named('ApiBody');
export const ApiConsumes = named('ApiConsumes');
export const ApiExtension = named('ApiExtension');
export const ApiHeader = named('ApiHeader');
export const ApiParam = named('ApiParam');
export const ApiTags = named('ApiTags');
export const ApiExcludeController = deferred((library) => library.ApiExcludeController());
export const ApiExcludeEndpoint = deferred((library) => library.ApiExcludeEndpoint());

/** What the operation does, in one line and in a sentence or two. */
export const Summary = deferred((library, summary: string, description: string) =>
  library.ApiOperation({ summary, description }),
);

/** Adds an extension whose value is asked for when all decorators of the method have run. */
export const ApiLateExtension = deferred((library, key: string, value: () => unknown) =>
  library.ApiExtension(key, value()),
);

/** Loads `@nestjs/swagger`, and applies the decorators that wait for it. */
export async function loadSwagger(): Promise<Library> {
  const library = await import('@nestjs/swagger');
  for (const apply of waiting.splice(0)) apply(library);
  return library;
}
