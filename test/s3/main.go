// An S3 server for the suites: Versity's gateway, which keeps buckets as folders. It checks the signature and the hash
// of every request, and enforces the rules of multipart uploads.
//
//	ROOT_ACCESS_KEY=… ROOT_SECRET_KEY=… s3 127.0.0.1:9000 data-folder
//
// The gateway is started as the library that it is: its own command brings in backends that the suites do not need.
package main

import (
	"context"
	"log"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/versity/versitygw/backend/meta"
	"github.com/versity/versitygw/backend/posix"
	"github.com/versity/versitygw/embedgw"
)

func main() {
	if len(os.Args) != 3 {
		log.Fatal("Usage: s3 ADDRESS FOLDER")
	}
	// Beside the buckets and not in extended attributes, which some file systems of test machines do not have.
	objects, properties := filepath.Join(os.Args[2], "objects"), filepath.Join(os.Args[2], "properties")
	for _, folder := range []string{objects, properties} {
		if err := os.MkdirAll(folder, 0o700); err != nil {
			log.Fatal(err)
		}
	}
	sideCar, err := meta.NewSideCar(properties)
	if err != nil {
		log.Fatal(err)
	}
	buckets, err := posix.New(objects, sideCar, posix.PosixOpts{SideCarDir: properties})
	if err != nil {
		log.Fatal(err)
	}
	ending, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	err = embedgw.RunVersityGW(ending, buckets, &embedgw.Config{
		RootUserAccess:    os.Getenv("ROOT_ACCESS_KEY"),
		RootUserSecret:    os.Getenv("ROOT_SECRET_KEY"),
		Ports:             []string{os.Args[1]},
		MaxConnections:    1000,
		MaxRequests:       1000,
		MultipartMaxParts: 10000,
		KeepAlive:         true,
		Quiet:             true,
	})
	if err != nil {
		log.Fatal(err)
	}
}
