# syntax=docker/dockerfile:1
FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY .swcrc ./
COPY tools tools
COPY apps apps
COPY libs libs
COPY web web
RUN node tools/build.mjs && npm prune --omit=dev

FROM node:24-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=9991 DATA_DIR=/data
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist/bin dist/bin
COPY --from=build /app/dist/web dist/web
COPY --chmod=755 deploy/scrollback /usr/local/bin/
# A new volume takes its owner from the folder that it covers.
RUN install -d -o node -g node -m 700 /data /uploads /operator
USER node
VOLUME /data
EXPOSE 9991
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/ready`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# `api`, `projector`, or a command for operators: `docker run … scrollback status`.
ENTRYPOINT ["scrollback"]
CMD ["api"]
