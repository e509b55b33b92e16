# syntax=docker/dockerfile:1
# The tree with its development dependencies, for suites that run where real servers are (docker-compose.yml, profile `test`).
FROM node:24-slim
RUN install -d -o node -g node /app
USER node
WORKDIR /app
COPY --chown=node package.json package-lock.json .npmrc ./
RUN npm ci
COPY --chown=node . .
CMD ["npm", "run", "test:servers"]
